import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'

import { openProperty, useKeptState } from '#kit/form/draft.ts'
import { IconPencil } from '#kit/icons/index.tsx'
import { keepTyping } from '#kit/keyboard/keep-typing.ts'
import { useRecordActions } from '#kit/parts/record-actions.tsx'
import { t } from '#text/index.ts'

import classes from './record.module.css'

interface PropertyProps {
  readonly name: string
  /** Whether someone else has just changed it. */
  readonly isChanged?: boolean
  readonly children: ReactNode
}

/** A fact that cannot be changed here. */
export const Property = ({ name, isChanged = false, children }: PropertyProps) => (
  <div className={classes.prop} data-changed={isChanged}>
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
export function EditableProperty(props: EditableProps) {
  const { name, isChanged = false, children, edit, reason, shortcut } = props
  const [isOpen, setOpen] = useKeptState(openProperty(name), false)
  const toggle = () => {
    if (!isOpen) keepTyping()
    setOpen(!isOpen)
  }
  const changeName = t('record.edit', { name })
  useRecordActions(reason === null ? [{ name: changeName, keys: shortcut, onClick: toggle }] : [])
  if (reason !== null)
    return (
      <Property name={name} isChanged={isChanged}>
        <span title={reason}>{children}</span>
      </Property>
    )
  return (
    <div className={classes.prop} data-changed={isChanged}>
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
              <VisuallyHidden>{changeName}</VisuallyHidden>
              {children}
              <IconPencil size={14} className={classes.pencil} />
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={name} className={classes.editor}>
            <Suspense>{isOpen && <Editor edit={edit} close={() => setOpen(false)} />}</Suspense>
          </Popover.Dropdown>
        </Popover>
      </dd>
    </div>
  )
}

interface EditorProps extends Pick<EditableProps, 'edit'> {
  readonly close: () => void
}

/**
 * The popover takes the focus when it opens; the editor may load after that. It saves the record as
 * it was then, so that a change by someone else in between is a conflict.
 */
function Editor({ edit, close }: EditorProps) {
  const editor = useRef<HTMLDivElement>(null)
  const [editAsOpened] = useState(() => edit)
  useEffect(() => editor.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return <div ref={editor}>{editAsOpened(close)}</div>
}

// The editors load when one is first opened.
const editors = () => import('./editors.tsx')
export const ChoiceEditor = lazyRouteComponent(editors, 'ChoiceEditor')
export const PersonEditor = lazyRouteComponent(editors, 'PersonEditor')
export const DateEditor = lazyRouteComponent(editors, 'DateEditor')
export const TagsEditor = lazyRouteComponent(editors, 'TagsEditor')
export const TextEditor = lazyRouteComponent(editors, 'TextEditor')
