import type { Scope } from '@muster/contract'

import { RecordSection } from '#kit/record/record-page.tsx'
import { t } from '#text/index.ts'

import { heldByArea, isManage, scopeTexts } from './scope-texts.ts'

import classes from './keys.module.css'

/** Each area and what the key may do there, so that the user also sees what it lacks. */
export function Scopes({ held }: { readonly held: readonly Scope[] }) {
  return (
    <RecordSection title={t('keys.may.title')} aside={t('keys.scopes.about')}>
      <ul aria-label={t('keys.may.title')}>
        {heldByArea(held).map(({ area, scope }) => (
          <li key={area} className={classes.scope} data-held={scope !== null}>
            <span>
              {scope === null
                ? t('keys.may.none', { area: t(`keys.area.${area}`) })
                : t(isManage(scope) ? 'keys.may.manage' : 'keys.may.read', {
                    area: t(`keys.area.${area}`),
                  })}
            </span>
            <span>{scope === null ? t('key.scopes.none') : t(scopeTexts[scope])}</span>
          </li>
        ))}
      </ul>
    </RecordSection>
  )
}
