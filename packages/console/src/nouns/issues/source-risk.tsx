import { useQuery } from '@tanstack/react-query'

import { RiskLink } from '#kit/parts/links.tsx'
import { ScoreChip } from '#kit/parts/score.tsx'
import { When } from '#kit/parts/when.tsx'
import { MiniRow, RecordEmpty, RecordSection } from '#kit/record/record-page.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { riskQuery } from '#nouns/risks/actions.ts'
import type { RiskRef } from '#nouns/risks/queries.ts'
import { isLive } from '#nouns/risks/risk-level.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

/** The risk that an issue came from. It stays in its project if the issue is transferred. */
export function SourceRisk(riskRef: RiskRef) {
  const { data: risk, isError } = useQuery(riskQuery(riskRef))
  return (
    <RecordSection title={t('issue.risk')}>
      {isError && <RecordEmpty>{t('issue.risk.elsewhere')}</RecordEmpty>}
      {risk && (
        <ul>
          <MiniRow
            glyph={<ScoreChip score={risk.score} level={risk.level} />}
            itemRef={risk.ref}
            title={<RiskLink item={risk} />}
            status={label('riskStatus', risk.status)}
            person={<PersonById userId={risk.owner_user_id} />}
            when={<When day={risk.review_on} isDone={!isLive(risk)} />}
          />
        </ul>
      )}
    </RecordSection>
  )
}
