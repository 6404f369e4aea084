import { ActionIcon } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'

import { showError } from '#kit/feedback/toast.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { IconLink, IconPlus, IconX } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { t } from '#text/index.ts'

import { RecordEmpty, RecordSection } from './record-page.tsx'

import classes from './record.module.css'

/** A link to a document that supports a record. */
export interface EvidenceLink {
  readonly title: string
  readonly url: string
}

/** The limit of the API. */
const linksMax = 20

const LinkDialog = lazyRouteComponent(() => import('./link-dialog.tsx'), 'LinkDialog')

interface Props {
  readonly links: readonly EvidenceLink[]
  /** Saves all links through the update mutation of the noun, which offers undo. */
  readonly onSave: (links: EvidenceLink[]) => Promise<unknown>
  /** Why the links cannot be changed; null if they can. */
  readonly reason: string | null
}

/** The evidence of a record: links to documents, in the order in which they were added. */
export function LinksSection({ links, onSave, reason }: Props) {
  const [isAdding, setAdding] = useKeptState('links/add', false)
  const remove = (link: EvidenceLink) =>
    onSave(links.filter((each) => each !== link)).catch(showError)
  const isFull = links.length >= linksMax
  return (
    <RecordSection
      title={t('links.title')}
      aside={isFull && t('links.full', { count: linksMax })}
      actions={
        !isFull && (
          <ActionButton
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={16} />}
            reason={reason}
            onClick={() => setAdding(true)}
          >
            {t('links.add')}
          </ActionButton>
        )
      }
    >
      {links.length === 0 && <RecordEmpty>{t('links.none')}</RecordEmpty>}
      <ul>
        {links.map((link) => (
          <li key={`${link.title} ${link.url}`} className={classes.link}>
            <IconLink size={14} />
            <a href={link.url} target="_blank" rel="noopener noreferrer">
              {link.title}
            </a>
            <span>{hostOf(link.url)}</span>
            {reason === null && (
              <ActionIcon
                size={24}
                aria-label={t('links.remove', { title: link.title })}
                onClick={() => void remove(link)}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <LazyDialog isOpen={isAdding}>
        <LinkDialog onClose={() => setAdding(false)} onAdd={(link) => onSave([...links, link])} />
      </LazyDialog>
    </RecordSection>
  )
}

/** The host shows where a link leads. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
