import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { scaleQuery } from '#nouns/risks/queries.ts'
import { t } from '#text/index.ts'

const worstFirst = [5, 4, 3, 2, 1]

/** The severities, highest first. Their names are those of the impact scale. */
export function useSeverities() {
  const { data } = useQuery(scaleQuery)
  return worstFirst.map((rating) => ({
    rating,
    name: data?.impact.find((each) => each.rating === rating)?.label ?? '',
  }))
}

interface FieldProps {
  readonly value?: number
  readonly onChange?: (severity: number) => void
  readonly error?: ReactNode
}

export function SeverityField({ value, onChange, error }: FieldProps) {
  const severities = useSeverities()
  return (
    <NativeSelect
      label={t('issues.severity')}
      value={String(value ?? '')}
      onChange={({ currentTarget }) => onChange?.(Number(currentTarget.value))}
      error={error}
      data={severities.map(({ rating, name }) => ({
        value: String(rating),
        label: `${rating} · ${name}`,
      }))}
    />
  )
}
