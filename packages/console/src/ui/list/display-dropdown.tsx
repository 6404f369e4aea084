import { Menu } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Search } from '#api/search.ts'
import { t } from '#text/index.ts'
import { useOpenOnMount } from '#ui/first-use.tsx'

import { type Choice, DisplayButton, type DisplayProps } from './display-menu.tsx'

/** The choices of how the list is shown. */
export function DisplayDropdown({ groupings = [], sortings = [], ...props }: DisplayProps) {
  const { button, isOpen, setOpen } = useOpenOnMount()
  const { noGroup = t('list.group.none'), isRailOpen, onToggleRail, printPath } = props
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const choose = (name: string, value: string) =>
    void navigate({ to: '.', search: { ...search, [name]: value }, resetScroll: false })
  const current = (name: string, [first]: readonly Choice[]) => search[name] ?? first?.value ?? ''
  const menus = [
    { name: 'group', title: t('list.group'), choices: groupings, none: noGroup },
    { name: 'sort', title: t('list.sort'), choices: sortings, none: null },
  ]
  return (
    <Menu opened={isOpen} onChange={setOpen} width={232} position="bottom-end">
      <Menu.Target>
        <DisplayButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {menus
          .filter(({ choices }) => choices.length > 0)
          .map(({ name, title, choices, none }) => (
            <Menu.RadioGroup
              key={name}
              value={current(name, none === null ? choices : [])}
              onChange={(value) => choose(name, value)}
            >
              <Menu.Label>{title}</Menu.Label>
              {[...(none === null ? [] : [{ value: '', label: none }]), ...choices].map((each) => (
                <Menu.RadioItem key={each.value} value={each.value} closeMenuOnClick>
                  {each.label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          ))}
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
