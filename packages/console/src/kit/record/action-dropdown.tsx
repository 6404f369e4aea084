import { Menu } from '@mantine/core'

import { useOpenOnMount } from '#kit/keyboard/first-use.tsx'

import { type ActionMenuProps, DotsButton } from './action-menu.tsx'

/** The actions of a record. */
export function ActionDropdown({ of, groups }: ActionMenuProps) {
  const { button, isOpen, setOpen } = useOpenOnMount()
  return (
    <Menu opened={isOpen} onChange={setOpen} width={260} position="bottom-end">
      <Menu.Target>
        <DotsButton of={of} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((group, at) => (
          <div key={group[0]?.name}>
            {at > 0 && <Menu.Divider />}
            {group.map(({ name: action, onClick, href, reason = null, isDanger = false }) => (
              <Menu.Item
                key={action}
                disabled={reason !== null}
                {...(isDanger && { color: 'red' })}
                {...(href !== undefined && { component: 'a' as const, href })}
                onClick={onClick}
              >
                {action}
                {reason !== null && <small style={{ display: 'block' }}>{reason}</small>}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
