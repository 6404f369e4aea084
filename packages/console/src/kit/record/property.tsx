import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'

import { openProperty, useKeptState } from '#kit/form/draft.ts'
import { IconPencil } from '#kit/icons/index.tsx'
import { keepTyping } from '#kit/keyboard/keep-typing.ts'
import { t } from '#text/index.ts'

import classes from './record.module.css'

interface PropertyProps {
  readonly name: string
  readonly children: ReactNode
}

/** A fact that cannot be changed here. */
export const Property = ({ name, children }: PropertyProps) => (
  <div className={classes.prop}>
    <dt>{name}</dt>
    <dd>
      <span className={classes.value}>{children}</span>
    </dd>
  </div>
)

interface SectionProps {
  readonly title: string
  /** An action or a link beside the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** Properties that belong together, below the others. */
export const PropertySection = ({ title, aside, children }: SectionProps) => (
  <section aria-label={title}>
    <div className={classes.propsHead}>
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)

interface MetadataProps {
  readonly metadata: Readonly<Record<string, string>>
}

/** What programs keep with a record: its keys are the names. */
export function MetadataSection({ metadata }: MetadataProps) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <PropertySection title={t('record.metadata')}>
      <dl>
        {entries.map(([name, value]) => (
          <Property key={name} name={name}>
            {value}
          </Property>
        ))}
      </dl>
    </PropertySection>
  )
}

interface EditableProps extends PropertyProps {
  /** The editor. It calls `close` when it is done. */
  readonly edit: (close: () => void) => ReactNode
  /** Why the property cannot be changed; null if it can. */
  readonly reason: string | null
  /** The letter that opens the editor. */
  readonly shortcut?: string
}

/** A property whose editor opens in place. */
export function EditableProperty({ name, children, edit, reason, shortcut }: EditableProps) {
  const [isOpen, setOpen] = useKeptState(openProperty(name), false)
  const toggle = () => {
    if (!isOpen) keepTyping()
    setOpen(!isOpen)
  }
  if (reason !== null)
    return (
      <Property name={name}>
        <span title={reason}>{children}</span>
      </Property>
    )
  return (
    <div className={classes.prop}>
      <dt>{name}</dt>
      <dd>
        <Popover
          opened={isOpen}
          onChange={setOpen}
          position="bottom-start"
          shadow="md"
          trapFocus
          returnFocus
          withinPortal
        >
          <Popover.Target>
            <UnstyledButton
              className={classes.value}
              aria-expanded={isOpen}
              data-shortcut={shortcut}
              onClick={toggle}
            >
              <VisuallyHidden>{t('record.edit', { name })}</VisuallyHidden>
              {children}
              <IconPencil size={14} className={classes.pencil} />
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={name} className={classes.editor}>
            <Suspense>{isOpen && <Editor>{edit(() => setOpen(false))}</Editor>}</Suspense>
          </Popover.Dropdown>
        </Popover>
      </dd>
    </div>
  )
}

/** The popover takes the focus when it opens; the editor may load after that. */
function Editor({ children }: { readonly children: ReactNode }) {
  const editor = useRef<HTMLDivElement>(null)
  useEffect(() => editor.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return <div ref={editor}>{children}</div>
}

// The editors load when one is first opened.
const editors = () => import('./editors.tsx')
export const ChoiceEditor = lazyRouteComponent(editors, 'ChoiceEditor')
export const PersonEditor = lazyRouteComponent(editors, 'PersonEditor')
export const DateEditor = lazyRouteComponent(editors, 'DateEditor')
export const TagsEditor = lazyRouteComponent(editors, 'TagsEditor')
export const TextEditor = lazyRouteComponent(editors, 'TextEditor')
