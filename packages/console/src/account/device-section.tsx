import { Switch } from '@mantine/core'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { areLettersOn, setLettersOn } from '#ui/letter-keys.ts'
import { Section } from '#ui/page.tsx'

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
