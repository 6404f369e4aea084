import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { Account } from './account.tsx'
import { type Part, partsOf, type Table } from './csv.ts'
import { Flaws } from './flaws.tsx'
import type { Target } from './kinds.ts'
import { Preview } from './preview.tsx'
import { rehearse, type Rehearsal } from './rehearse.ts'
import { StayHere } from './stay-here.tsx'
import { useImport } from './use-import.ts'

interface Props {
  readonly name: string
  readonly table: Table
  readonly target: Target
  readonly onBusy: (isBusy: boolean) => void
  readonly onEnd: () => void
}

/** What a file would do, and then the doing of it. */
export function Check({ name, table, target, onBusy, onEnd }: Props) {
  const { limits } = useWhoami()
  const { batch_rows_max: rowsMax, batch_bytes_max: bytesMax } = limits
  // Once and for all: what is done is told by the number of a part.
  const [parts] = useState(() => partsOf(table, { rowsMax, bytesMax }))
  const doing = useImport(target, parts)
  const [tries, setTries] = useState(0)
  const isBusy = doing.phase === 'doing'
  useEffect(() => onBusy(isBusy), [isBusy, onBusy])
  return (
    <>
      {doing.phase === 'ready' ? (
        <Rehearsed
          key={tries}
          {...{ table, target, parts }}
          onImport={doing.run}
          onAgain={() => setTries(tries + 1)}
        />
      ) : (
        <Account {...{ name, table, target, parts, doing, onEnd }} />
      )}
      <StayHere isBusy={isBusy} stop={doing.stop} />
    </>
  )
}

interface RehearsedProps {
  readonly table: Table
  readonly target: Target
  readonly parts: readonly Part[]
  readonly onImport: () => Promise<void>
  readonly onAgain: () => void
}

function Rehearsed({ table, target, parts, onImport, onAgain }: RehearsedProps) {
  const { done, rehearsal, error } = useRehearsal({ target, table, parts })
  const count = table.rows.length
  return (
    <Section title={t('import.check')}>
      {error !== null && (
        <Stack align="flex-start">
          <Text>{t('import.check.failed')}</Text>
          <ProblemNotice error={error} />
          <Button onClick={onAgain}>{t('import.check.again')}</Button>
        </Stack>
      )}
      {error === null && rehearsal === null && (
        <Stack gap="xs">
          <Text role="status">{t('import.checking', { done, count })}</Text>
          <Progress value={(100 * done) / count} aria-label={t('import.check')} />
        </Stack>
      )}
      {rehearsal && rehearsal.flaws.length > 0 && <ToCorrect flaws={rehearsal.flaws} />}
      {rehearsal && rehearsal.flaws.length === 0 && (
        <Ready {...{ table, parts, rehearsal, onImport }} />
      )}
    </Section>
  )
}

function ToCorrect({ flaws }: Pick<Rehearsal, 'flaws'>) {
  return (
    <Stack>
      <Alert color="red" variant="outline" role="alert">
        <Text fw={600}>{t('import.flawed', { count: flaws.length })}</Text>
        <Text size="sm">
          {t('import.flawed.about')} {t('import.flawed.rounds', { most: toldMost })}
        </Text>
      </Alert>
      <Flaws flaws={flaws} />
    </Stack>
  )
}

/** How many flaws the service tells of one part. */
const toldMost = 50

interface ReadyProps {
  readonly table: Table
  readonly parts: readonly Part[]
  readonly rehearsal: Rehearsal
  readonly onImport: () => Promise<void>
}

function Ready({ table, parts, rehearsal, onImport }: ReadyProps) {
  const { counts } = rehearsal
  const count = table.rows.length
  const isNothing = counts.created + counts.changed === 0
  return (
    <Stack>
      <div>
        <Text role="status" fw={600}>
          {t('import.fine', { count })}
        </Text>
        <Text size="sm">{t('import.in-parts', { count: parts.length })}</Text>
      </div>
      <Preview table={table} rehearsal={rehearsal} />
      <Group>
        <ActionButton
          onClick={() => void onImport()}
          reason={isNothing ? t('import.nothing') : null}
        >
          {t('import.do', { count })}
        </ActionButton>
        {isNothing && <Text size="sm">{t('import.nothing')}</Text>}
      </Group>
    </Stack>
  )
}

interface Rehearsing {
  readonly target: Target
  readonly table: Table
  readonly parts: readonly Part[]
}

interface Progressed {
  readonly done: number
  readonly rehearsal: Rehearsal | null
  readonly error: unknown
}

/** Tries it all as soon as it is shown; for another file or target it is made anew. */
function useRehearsal({ target, table, parts }: Rehearsing) {
  const [state, setState] = useState<Progressed>({ done: 0, rehearsal: null, error: null })
  const [fixed] = useState(target)
  useEffect(() => {
    const { signal, abort } = abortable()
    setState({ done: 0, rehearsal: null, error: null })
    const onProgress = (done: number) => setState((before) => ({ ...before, done }))
    rehearse({ target: fixed, table, parts, signal, onProgress }).then(
      (rehearsal) => setState((before) => ({ ...before, rehearsal })),
      (error: unknown) => signal.aborted || setState((before) => ({ ...before, error })),
    )
    return abort
  }, [fixed, table, parts])
  return state
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
