import { Table, Text } from '@mantine/core'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { ScoreChip } from '#kit/parts/score.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import type { Kind } from '#pages/import/columns/fields.ts'
import type { ImportedRecord } from '#pages/import/run/kinds.ts'
import { t } from '#text/index.ts'
import { formatValue, isNone, type Names, userIdsIn } from '#text/values.ts'

import { useRecordsBefore } from './before.ts'
import {
  type ChangedField,
  changesOf,
  type Imported,
  nameOf,
  referenceOf,
  scoreOf,
} from './changes.ts'
import { TableFrame } from './table-frame.tsx'

import classes from './preview.module.css'

interface Props {
  readonly imported: Imported
  /** The changed records of one page, as they would be. */
  readonly records: readonly ImportedRecord[]
}

/** The noun of the values of each kind. */
const nouns: Readonly<Record<Kind, string>> = {
  people: 'person',
  projects: 'project',
  risks: 'risk',
  issues: 'issue',
  tasks: 'task',
}

/** The records that change, and each changed field before and after. */
export function ChangesTable({ imported, records }: Props) {
  const { kind } = imported
  const { data: before, error, refetch } = useRecordsBefore(kind, records)
  const rows = records.map((after) => {
    const known = before?.get(after.id)
    return { after, before: known, changes: known ? changesOf(imported, known, after) : null }
  })
  const values = rows.flatMap(({ changes }) => changes?.flatMap(({ from, to }) => [from, to]) ?? [])
  const names = usePersonNames(userIdsIn(values))
  const hasScore = kind === 'risks'
  const hasReference = kind !== 'people'
  return (
    <>
      {error !== null && <ProblemNotice error={error} onRetry={() => void refetch()} />}
      <TableFrame label={t('import.preview')} isStacked>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {hasScore && (
              <Table.Th scope="col" role="columnheader">
                {t('word.score')}
              </Table.Th>
            )}
            {hasReference && (
              <Table.Th scope="col" role="columnheader">
                {t(kind === 'projects' ? 'project.code' : 'word.ref')}
              </Table.Th>
            )}
            <Table.Th scope="col" role="columnheader">
              {t(kind === 'people' || kind === 'projects' ? 'word.name' : 'word.title')}
            </Table.Th>
            <Table.Th scope="col" role="columnheader">
              {t('import.preview.changes')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map(({ after, before: known, changes }) => (
            <Table.Tr key={after.id} role="row">
              {hasScore && (
                <Table.Td role="cell" className={classes.scores}>
                  <Scores before={known ?? after} after={after} />
                </Table.Td>
              )}
              {hasReference && (
                <Table.Td role="cell" className={classes.reference}>
                  {referenceOf(after)}
                </Table.Td>
              )}
              <Table.Th scope="row" role="rowheader" className={classes.name}>
                {nameOf(kind, after)}
              </Table.Th>
              <Table.Td role="cell">
                {changes === null ? (
                  <Text span c="dimmed">
                    …
                  </Text>
                ) : (
                  <Changes changes={changes} noun={nouns[kind]} names={names} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </TableFrame>
    </>
  )
}

interface ScoresProps {
  readonly before: ImportedRecord
  readonly after: ImportedRecord
}

function Scores({ before, after }: ScoresProps) {
  const [from, to] = [scoreOf(before), scoreOf(after)]
  if (to === null) return null
  return (
    <>
      {from !== null && from.score !== to.score && (
        <>
          <ScoreChip {...from} /> <span aria-label={t('import.preview.becomes')}>→</span>{' '}
        </>
      )}
      <ScoreChip {...to} />
    </>
  )
}

interface ChangesProps {
  readonly changes: readonly ChangedField[]
  readonly noun: string
  readonly names: Names
}

/** Each field with its value before, struck out, and after. */
const Changes = ({ changes, noun, names }: ChangesProps) => (
  <ul className={classes.changes}>
    {changes.map(({ field, label, from, to }) => {
      const format = (value: unknown) => formatValue(value, { noun, field, names })
      return (
        <li key={field}>
          {label} {isNone(from) ? <span>{format(from)}</span> : <del>{format(from)}</del>}{' '}
          <ins>{format(to)}</ins>
        </li>
      )
    })}
  </ul>
)
