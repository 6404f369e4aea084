import type { Risk } from '@muster/contract'

import { type Descriptions, fieldsOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { isLive } from './risk-level.ts'

/** The fields of a risk that people write; the ratings have controls of their own. */
export const riskFields = fieldsOf('risks', {
  title: { kind: 'line', label: t('word.title'), isRequired: true },
  description: {
    kind: 'text',
    label: t('word.description'),
    about: t('risk.field.description.about'),
  },
  status: {
    kind: 'choice',
    label: t('word.status'),
    set: 'riskStatus',
    isStatus: true,
    shortcut: 's',
  },
  category: { kind: 'choice', label: t('risk.field.category'), set: 'riskCategory' },
  response: { kind: 'choice', label: t('risk.field.response'), set: 'riskResponse' },
  owner_user_id: {
    kind: 'person',
    label: t('word.owner'),
    missing: t('word.no-owner'),
    shortcut: 'a',
  },
  review_on: {
    kind: 'date',
    label: t('word.next-review'),
    missing: t('word.not-set'),
    shortcut: 'd',
  },
  tags: { kind: 'tags', label: t('word.tags'), missing: t('word.none') },
  external_id: { kind: 'line', label: t('word.external-id'), missing: t('word.none') },
} satisfies Descriptions<Risk>)

export const liveStatuses = choices('riskStatus').filter(({ value }) => isLive({ status: value }))

/** The responses that a risk can have. Accepting is an operation of its own. */
export const responsesOf = (present: Risk['response']) =>
  choices('riskResponse').filter(({ value }) => value !== 'accept' || present === 'accept')

/** Who accepts a risk, and why. */
export const acceptFields = fieldsOf('risks', {
  rationale: { kind: 'text', label: t('risk.rationale'), isRequired: true },
  accepted_by_user_id: { kind: 'person', label: t('risk.accepted-by'), isRequired: true },
  expires_on: { kind: 'date', label: t('word.expires'), isRequired: true },
} satisfies Descriptions<NonNullable<Risk['acceptance']>>)

/** How a risk is closed. */
export const closeFields = fieldsOf('risks', {
  close_reason: { kind: 'choice', label: t('word.reason'), set: 'riskCloseReason' },
  close_note: { kind: 'text', label: t('risk.close.note'), about: t('risk.note.about') },
} satisfies Descriptions<Risk>)

/** What a review found. */
export const reviewFields = fieldsOf('risks', {
  note: { kind: 'text', label: t('risk.note'), about: t('risk.note.about'), isRequired: true },
})
