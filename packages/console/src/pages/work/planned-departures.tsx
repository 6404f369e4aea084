import { useWhoami } from '#data/whoami.ts'
import { refusalText, useDepartures } from '#nouns/people/departures.ts'
import { InlinePersonLink } from '#nouns/people/inline-person-link.tsx'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'

import classes from './work.module.css'

/** The departures that the user planned, and those of others that were refused. */
export function PlannedDepartures() {
  const { person } = useWhoami()
  const departures = useDepartures().filter(
    ({ planned_by, refusal }) => refusal !== null || planned_by.user_id === person?.user_id,
  )
  if (departures.length === 0) return null
  return (
    <section aria-labelledby="planned-departures" className={classes.departures}>
      <h2 id="planned-departures">{t('work.departures')}</h2>
      <ul>
        {departures.map(({ user_id, departs_on, refusal }) => (
          <li key={user_id} data-alarm={refusal !== null}>
            <InlinePersonLink userId={user_id} />{' '}
            {t(refusal === null ? 'work.departure.leaves' : 'work.departure.was-to-leave', {
              day: formatNearDay(departs_on),
            })}
            {refusal !== null && `. ${refusalText(refusal)}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
