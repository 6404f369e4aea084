import { Menu } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Search } from '#data/search.ts'
import { useOpenOnMount } from '#kit/keyboard/first-use.tsx'
import { t } from '#text/index.ts'

import { DisplayButton, type DisplayProps } from './display-menu.tsx'
import { choiceOf, type ListSort, reversed } from './sort.ts'

/** The choices of how the list is shown. */
export function DisplayDropdown({ groupings = [], sort, ...props }: DisplayProps) {
  const { button, isOpen, setOpen } = useOpenOnMount()
  const { noGroup = t('list.group.none'), isRailOpen, onToggleRail, printPath } = props
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const group = (value: string) =>
    void navigate({ to: '.', search: { ...search, group: value }, resetScroll: false })
  return (
    <Menu opened={isOpen} onChange={setOpen} width={232} position="bottom-end">
      <Menu.Target>
        <DisplayButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {groupings.length > 0 && (
          <Menu.RadioGroup value={search['group'] ?? ''} onChange={group}>
            <Menu.Label>{t('list.group')}</Menu.Label>
            {[{ value: '', label: noGroup }, ...groupings].map((each) => (
              <Menu.RadioItem key={each.value} value={each.value} closeMenuOnClick>
                {each.label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        )}
        {sort && <SortItems {...sort} />}
        {isRailOpen !== undefined && (
          <Menu.Item onClick={onToggleRail}>
            {t(isRailOpen ? 'list.rail.hide' : 'list.rail.show')}
          </Menu.Item>
        )}
        {printPath !== undefined && (
          <Menu.Item component="a" href={printPath} target="_blank">
            {t('list.print')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The orders, and whether the chosen one is reversed. Phones show no column heads. */
function SortItems(sort: ListSort) {
  const { choices, value, choose } = sort
  const chosen = choiceOf(sort, value)?.value ?? value
  return (
    <>
      <Menu.RadioGroup value={chosen} onChange={choose}>
        <Menu.Label>{t('list.sort')}</Menu.Label>
        {choices.map((each) => (
          <Menu.RadioItem key={each.value} value={each.value} closeMenuOnClick>
            {each.label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      {chosen !== '' && (
        <Menu.CheckboxItem
          checked={value !== chosen}
          onChange={() => choose(reversed(value))}
          closeMenuOnClick
        >
          {t('list.sort.reverse')}
        </Menu.CheckboxItem>
      )}
    </>
  )
}
