import type { Plan, WrongCell } from '#pages/import/cells/plan.ts'
import { formatNumber, t } from '#text/index.ts'

import classes from './fix.module.css'

interface Props {
  readonly plan: Plan
  readonly wrong: readonly WrongCell[]
}

/** How many cells of each column have each fault. */
export function WhatIsLeft({ plan, wrong }: Props) {
  const groups = [...Map.groupBy(wrong, ({ at, fault }) => `${at} ${fault}`).values()]
  const counts = groups.toSorted((one, other) => other.length - one.length)
  return (
    <div className={classes.left}>
      <h3>{t('import.fixing.rest')}</h3>
      <p role="status">
        {wrong.length === 0
          ? t('import.fixing.done')
          : t('import.fixing.left', { count: wrong.length })}
      </p>
      <dl>
        {counts.flatMap(([first, ...others]) =>
          first === undefined ? (
            []
          ) : (
            <div key={`${first.at} ${first.fault}`}>
              <dt title={plan.sheet.columns[first.at]}>
                {t('import.fixing.group', {
                  column: t(first.field.label),
                  fault: t(`import.left.${first.fault}`),
                })}
              </dt>
              <dd>{formatNumber(others.length + 1)}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}
