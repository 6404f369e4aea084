import { Tabs } from '@mantine/core'
import type { Project } from '@muster/contract'

import { t } from '#text/index.ts'
import { useFilters } from '#ui/filters.ts'

import { HistoryTab } from './history-tab.tsx'
import { IssuesTab } from './issues-tab.tsx'
import { RisksTab } from './risks-tab.tsx'
import { TasksTab } from './tasks-tab.tsx'

const tabs = { risks: RisksTab, issues: IssuesTab, tasks: TasksTab, history: HistoryTab }
type Tab = keyof typeof tabs
const names = Object.keys(tabs) as Tab[]

/** The lists of a project. The URL has the selected tab and its filters. */
export function ProjectTabs({ project }: { readonly project: Project }) {
  const params = useFilters(['tab'])
  const shown = names.find((name) => name === params.values['tab']) ?? 'risks'
  const Shown = tabs[shown]
  return (
    <Tabs
      value={shown}
      onChange={(tab) => params.set({ tab, status: null, assignee_user_id: null, task: null })}
      keepMounted={false}
    >
      <Tabs.List aria-label={t('project.lists', { code: project.code })}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`project.tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {name === shown && <Shown project={project} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
