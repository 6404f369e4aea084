import { Button } from '@mantine/core'
import type { ChangedNoun } from '@muster/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useRef } from 'react'

import { type Search, stringifySearch } from '#data/search.ts'
import { useCountsNote, useMissingScopeReason } from '#data/whoami.ts'
import { copyLink } from '#kit/feedback/copy-link.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { IconLink, IconPrinter } from '#kit/icons/index.tsx'
import { useShortcuts } from '#kit/keyboard/shortcuts.ts'
import { type FilterField, FilterMenu } from '#kit/list/filter-menu.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { Bones } from '#kit/parts/bones.tsx'
import { AnchorLink, ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState, Page } from '#kit/parts/page.tsx'
import { WidePage } from '#kit/parts/wide-page.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { type Changes, changesQuery, type ChangesInterval } from '#nouns/changes/queries.ts'
import { formatNumber, t } from '#text/index.ts'
import { userIdsIn } from '#text/values.ts'

import { IssueGroups, ProjectGroups, RiskGroups } from './groups.tsx'
import { IntervalFields } from './interval-fields.tsx'
import { pointName, toSearch, useInterval } from './interval.ts'
import { Side } from './side.tsx'

import classes from './changes-page.module.css'

/** Everything that is different since a point in time, with who did it and why. */
export function ChangesPage() {
  const reason = useMissingScopeReason('projects.read')
  if (reason === null) return <ChangedSince />
  return (
    <Page title={t('changes.title')}>
      <EmptyState title={t('changes.hidden')} advice={reason} />
    </Page>
  )
}

function ChangedSince() {
  const interval = useInterval()
  const query = useQuery({ ...changesQuery(interval), placeholderData: keepPreviousData })
  const { data: changes, error, refetch } = query
  const search = useSearch({ strict: false }) as Search
  const noun = nouns.find((each) => each === search['view']) ?? 'risks'
  return (
    <WidePage
      title={t('changes.title')}
      note={useCountsNote()}
      actions={
        <>
          <IntervalFields interval={interval} search={search} />
          <Actions interval={interval} changes={changes} />
        </>
      }
      strip={
        <>
          <Toolbar noun={noun} changes={changes} />
          {interval.until !== undefined && <PastBar interval={interval} until={interval.until} />}
        </>
      }
      side={changes && <Side changes={changes} interval={interval} />}
      sideName={t('changes.side')}
    >
      {changes === undefined && error !== null && (
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      )}
      {changes === undefined && error === null && <Bones />}
      {changes && <Entries changes={changes} noun={noun} since={interval.since} />}
    </WidePage>
  )
}

const nouns = ['risks', 'issues', 'projects'] as const satisfies readonly ChangedNoun[]
const texts = { risks: 'risks.title', issues: 'issues.title', projects: 'projects.title' } as const

const filterFields: readonly FilterField[] = [
  { name: 'project_id', label: t('word.project'), kind: 'project' },
  { name: 'owner_user_id', label: t('word.owner'), kind: 'person' },
]

const countOf = (changes: Changes, noun: ChangedNoun) =>
  Object.values(changes[noun]).reduce((sum, entries) => sum + entries.length, 0)

interface ToolbarProps {
  readonly noun: ChangedNoun
  readonly changes: Changes | undefined
}

function Toolbar({ noun, changes }: ToolbarProps) {
  const filters = useFilters(filterFields.map(({ name }) => name))
  const search = useSearch({ strict: false }) as Search
  const { view: _, ...kept } = search
  return (
    <div className={`${classes.toolbar} no-print`}>
      <nav aria-label={t('changes.nouns')} className={classes.tabs}>
        {nouns.map((each) => (
          <AnchorLink
            key={each}
            to="/changes"
            search={{ ...kept, ...(each !== 'risks' && { view: each }) }}
            activeOptions={{ exact: true, includeSearch: true }}
            underline="never"
            {...(each === noun
              ? { 'aria-current': 'page' as const }
              : { 'aria-current': undefined })}
          >
            {t(texts[each])} {changes && <span>{formatNumber(countOf(changes, each))}</span>}
          </AnchorLink>
        ))}
      </nav>
      <FilterMenu filters={filters} fields={filterFields} />
    </div>
  )
}

interface ActionsProps {
  readonly interval: ChangesInterval
  readonly changes: Changes | undefined
}

function Actions({ interval, changes }: ActionsProps) {
  // A number instead of now: the link shows the same list, also next year.
  const fixed = { ...interval, ...(changes && { until: String(changes.until) }) }
  const copy = () => void copyLink(`/changes${stringifySearch(toSearch(fixed))}`)
  useShortcuts({ y: copy })
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconLink size={16} />}
        disabled={changes === undefined}
        onClick={copy}
      >
        {t('overview.copy')}
      </Button>
      <ButtonLink
        to="/print/changes"
        search={toSearch(fixed)}
        variant="subtle"
        color="gray"
        leftSection={<IconPrinter size={16} />}
        data-shortcut="p"
      >
        {t('overview.print')}
      </ButtonLink>
    </>
  )
}

interface PastProps {
  readonly interval: ChangesInterval
  readonly until: string
}

/** The list does not end now: indigo is the past. */
function PastBar({ interval, until }: PastProps) {
  const { until: _, ...rest } = toSearch(interval)
  return (
    <p className={classes.past} role="note">
      {t('changes.until.past', { until: pointName(until) })}
      <AnchorLink to="/changes" search={rest} inherit underline="always">
        {t('changes.until.now')}
      </AnchorLink>
    </p>
  )
}

const groups = { risks: RiskGroups, issues: IssueGroups, projects: ProjectGroups }

interface EntriesProps {
  readonly changes: Changes
  readonly noun: ChangedNoun
  readonly since: string
}

function Entries({ changes, noun, since }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null)
  useEntryKeys(list)
  const names = usePersonNames(userIdsIn([changes.risks, changes.issues, changes.projects]))
  const Groups = groups[noun]
  const sinceName = pointName(since)
  if (nouns.every((each) => countOf(changes, each) === 0))
    return (
      <EmptyState
        title={t('changes.none', { since: sinceName })}
        advice={t('changes.none.about')}
      />
    )
  return (
    <div ref={list} {...handlers}>
      {changes.is_truncated && <p className={classes.cut}>{t('changes.truncated')}</p>}
      <Groups changes={changes} names={names} />
      {countOf(changes, noun) === 0 && (
        <p className={classes.none}>{t('changes.none.noun', { since: sinceName })}</p>
      )}
    </div>
  )
}

/** The links of the entries have the focus, not their list. */
const handlers = { onKeyDown: toggleSteps }

const rowLinks = `.${classes.title} > a:first-child`

/** `j` and `k` move through the entries. */
function useEntryKeys(list: RefObject<HTMLDivElement | null>): void {
  const move = (step: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>(rowLinks) ?? [])]
    const row = document.activeElement?.closest('li')
    const at = links.findIndex((link) => row?.contains(link))
    links[at === -1 ? 0 : at + step]?.focus()
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) })
}

/** Space on an entry shows its steps. */
function toggleSteps(event: KeyboardEvent<HTMLElement>): void {
  const { target } = event
  if (event.key !== ' ' || !(target instanceof HTMLElement) || !target.matches(rowLinks)) return
  event.preventDefault()
  target.closest('li')?.querySelector<HTMLElement>('[data-steps]')?.click()
}
