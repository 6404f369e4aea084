import { NativeSelect } from '@mantine/core'
import { useState } from 'react'

import { chooseHome, chosenHome, homes } from '#data/home.ts'
import { useWhoami } from '#data/whoami.ts'
import { Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

/** What the console shows first, in this browser. */
export function DisplaySection() {
  const whoami = useWhoami()
  const [chosen, setChosen] = useState(() => chosenHome(whoami))
  const change = (value: string) => {
    const home = homes.find((each) => each === value) ?? null
    chooseHome(whoami, home)
    setChosen(home)
  }
  return (
    <Section title={t('account.display')}>
      <NativeSelect
        label={t('account.home')}
        description={t('account.home.about')}
        maw={360}
        value={chosen ?? ''}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        data={[
          { value: '', label: t('account.home.usual') },
          { value: 'overview', label: t('overview.title') },
          { value: 'work', label: t('work.title') },
        ]}
      />
    </Section>
  )
}
