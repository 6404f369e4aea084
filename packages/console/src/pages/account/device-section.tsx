import { Switch } from '@mantine/core'
import { useState } from 'react'

import { areLettersOn, setLettersOn } from '#kit/keyboard/letter-keys.ts'
import { Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

/** Settings that this browser keeps. */
export function DeviceSection() {
  const [isOn, setOn] = useState(areLettersOn)
  const change = (next: boolean) => {
    setLettersOn(next)
    setOn(next)
  }
  return (
    <Section title={t('keyboard.device')}>
      <Switch
        label={t('keyboard.letters')}
        description={t('keyboard.letters.about')}
        checked={isOn}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
    </Section>
  )
}
