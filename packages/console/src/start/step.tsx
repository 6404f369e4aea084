import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'
import { IconCheck } from '#ui/icons/index.tsx'

import classes from './steps.module.css'

export type StepState = 'done' | 'now' | 'later'

interface Props {
  readonly number: number
  readonly title: string
  readonly state: StepState
  readonly children: ReactNode
}

export function Step({ number, title, state, children }: Props) {
  return (
    <li
      className={classes.step}
      data-state={state}
      {...(state === 'now' && { 'aria-current': 'step' as const })}
    >
      <Group gap="sm" wrap="nowrap">
        <span className={classes.number} aria-hidden>
          {state === 'done' ? <IconCheck size={14} /> : number}
        </span>
        <Group gap={8} align="baseline">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`start.${state}`)}
          </Text>
        </Group>
      </Group>
      <div className={classes.body}>{children}</div>
    </li>
  )
}
