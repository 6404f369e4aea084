import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Scale } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { t } from '#text/index.ts'
import { label as labelOf } from '#text/labels.ts'
import { LevelBadge } from '#ui/level.tsx'

import { scaleQuery } from './queries.ts'
import { levelOf } from './risk-level.ts'

interface Field {
  readonly value?: number
  readonly onChange?: (value: number) => void
  readonly error?: unknown
}

interface Props {
  readonly likelihood: Field
  readonly impact: Field
}

/** Selects likelihood and impact, and shows the resulting score. */
export function RatingFields({ likelihood, impact }: Props) {
  const { data: scale } = useQuery(scaleQuery)
  const score = (likelihood.value ?? 0) * (impact.value ?? 0)
  const level = levelOf(scale, score)
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Rating label={t('risk.likelihood')} of={scale?.likelihood ?? []} field={likelihood} />
        <Rating label={t('risk.impact')} of={scale?.impact ?? []} field={impact} />
      </SimpleGrid>
      <Text component="output" size="sm">
        {t('risk.score')}{' '}
        <LevelBadge level={level}>
          {t('risk.score-level', { score, level: labelOf('level', level) })}
        </LevelBadge>
      </Text>
    </Stack>
  )
}

interface RatingProps {
  readonly label: string
  readonly of: Scale['likelihood']
  readonly field: Field
}

/** The description shows the meaning of the selected rating. */
function Rating({ label, of, field }: RatingProps) {
  return (
    <NativeSelect
      label={label}
      description={of.find(({ rating }) => rating === field.value)?.meaning ?? ' '}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={String(field.value ?? '')}
      onChange={({ currentTarget }) => field.onChange?.(Number(currentTarget.value))}
      error={field.error as string}
      data={of.map((each) => ({
        value: String(each.rating),
        label: `${each.rating} · ${each.label}`,
      }))}
    />
  )
}
