import { Group, Input, Radio, Stack } from '@mantine/core'
import type { Scope } from '@muster/contract'
import type { ReactNode } from 'react'

import { useWhoami } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import { type Area, areas, isBindable, isHeld, scopesOf, scopeTexts } from './scope-texts.ts'

import classes from './scope-fields.module.css'

interface Props {
  readonly value: readonly Scope[]
  readonly onChange: (scopes: Scope[]) => void
  readonly error?: ReactNode
  /** Whether the key is bound to projects, which only some scopes allow. */
  readonly isBound: boolean
}

/** The scopes by area. A caller can grant only scopes that they hold. */
export function ScopeFields({ value, onChange, error, isBound }: Props) {
  const choose = (area: Area, scope: Scope | null) => {
    const others = value.filter((each) => !scopesOf(area).includes(each))
    onChange(scope === null ? others : [...others, scope])
  }
  return (
    <fieldset className={classes['scopes']} data-path="scopes" tabIndex={-1}>
      <legend className={classes['legend']}>{t('keys.may')}</legend>
      <Input.Description>{t('key.scopes.about')}</Input.Description>
      <Stack gap={0} mt={4}>
        {areas.map((area) => (
          <AreaField
            key={area}
            area={area}
            isBound={isBound}
            value={value.find((scope) => scopesOf(area).includes(scope)) ?? null}
            onChange={(scope) => choose(area, scope)}
          />
        ))}
      </Stack>
      {error && (
        <Input.Error role="alert" mt={4}>
          {error}
        </Input.Error>
      )}
    </fieldset>
  )
}

interface AreaProps {
  readonly area: Area
  readonly isBound: boolean
  readonly value: Scope | null
  readonly onChange: (scope: Scope | null) => void
}

const none = 'none'

function AreaField({ area, isBound, value, onChange }: AreaProps) {
  const { scopes: held } = useWhoami()
  const scopes = scopesOf(area)
  const unbindable = scopes.filter((scope) => isBound && !isBindable(scope))
  const unheld = scopes.filter((scope) => !unbindable.includes(scope) && !isHeld(held, scope))
  const chosen = value === null ? t('key.scopes.none') : t(scopeTexts[value])
  const reasons = [
    unbindable.length > 0 &&
      t(
        unbindable.length === scopes.length
          ? 'key.scopes.unbindable'
          : 'key.scopes.unbindable.manage',
      ),
    unheld.length > 0 && t('key.scopes.unheld', { scopes: unheld.join(', ') }),
  ]
  const choose = (text: string) => onChange(scopes.find((scope) => scope === text) ?? null)
  return (
    <Radio.Group
      className={classes['area'] ?? ''}
      label={t(`keys.area.${area}`)}
      description={[chosen, ...reasons].filter((text) => text !== false).join(' ')}
      inputWrapperOrder={['label', 'input', 'description']}
      value={value ?? none}
      onChange={choose}
    >
      <Group gap="lg" my={6}>
        <Radio value={none} label={t('key.level.none')} />
        {scopes.map((scope) => (
          <Radio
            key={scope}
            value={scope}
            label={t(scope.endsWith('.read') ? 'key.level.read' : 'key.level.manage')}
            disabled={unbindable.includes(scope) || unheld.includes(scope)}
          />
        ))}
      </Group>
    </Radio.Group>
  )
}
