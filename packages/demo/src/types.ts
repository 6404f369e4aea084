import type { NewRisk } from '@muster/contract'

/** A day of the story: days from the day of seeding, negative for the past. */
export type Day = number

/** A person of Northwater. Other demo data references people by `key`. */
export interface StoryPerson {
  readonly key: string
  readonly name: string
  readonly email: string
  readonly title: string
  readonly department: string
  readonly phone?: string
  readonly external_id: string
  /** The key of a person earlier in the list, because managers must exist first. */
  readonly manager?: string
  readonly time_zone?: string
  /** The day of hiring during the story; without it the person is there from the start. */
  readonly hired?: Day
  readonly start_on?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export type StoryHealth = 'on_track' | 'at_risk' | 'off_track'

/** A project of Northwater. Its risks and issues reference it by `code`. */
export interface StoryProject {
  readonly code: string
  readonly on: Day
  /** The person who writes the issues and tasks of the project. */
  readonly kept_by: string
  readonly name: string
  readonly description: string
  readonly status: 'planned' | 'active' | 'on_hold' | 'completed'
  /** Null for a project that has not started. */
  readonly health: StoryHealth | null
  /** The key of a person. */
  readonly owner: string
  readonly starts_on: Day
  readonly due_on: Day
  readonly risk_appetite: number
  readonly external_id?: string
  readonly metadata?: Readonly<Record<string, string>>
  /** The project is archived, and its open items are transferred to the project of this code. */
  readonly merged?: { readonly on: Day; readonly into: string }
}

/** A link to a document of Northwater. */
export interface StoryLink {
  readonly title: string
  readonly url: string
}

/** A rating from 1 to 5. */
export type StoryRating = 1 | 2 | 3 | 4 | 5

/** The fields of a new risk whose values depend on the story. */
type RiskReference = 'owner_user_id' | 'review_on' | 'inherent' | 'target' | 'tags' | 'links'

/** A risk as it is created, with days and the keys of people. */
export interface StoryRisk extends Readonly<Omit<NewRisk, RiskReference>> {
  /** Starts with the code of the project. The risks of a project are numbered by day. */
  readonly ref: string
  readonly on: Day
  readonly category: NonNullable<NewRisk['category']>
  readonly response: NonNullable<NewRisk['response']>
  readonly likelihood: StoryRating
  readonly impact: StoryRating
  /** The inherent likelihood and impact, at or above the current ones. */
  readonly inherent?: readonly [StoryRating, StoryRating]
  /** At or below the current rating. */
  readonly target?: {
    readonly likelihood: StoryRating
    readonly impact: StoryRating
    readonly due_on: Day
  }
  /** The key of a person. */
  readonly owner?: string
  readonly review_on?: Day
  /** Single words: tags must not contain spaces. */
  readonly tags?: readonly string[]
  readonly links?: readonly StoryLink[]
  readonly close?: {
    readonly on: Day
    readonly reason:
      | 'treated'
      | 'no_longer_possible'
      | 'avoided'
      | 'duplicate'
      | 'rejected'
      | 'other'
    readonly note: string
  }
}

/** An issue as it is created. */
export interface StoryIssue {
  /** Starts with the code of the project. The issues of a project are numbered by day. */
  readonly ref: string
  readonly on: Day
  readonly title: string
  readonly description?: string
  readonly external_id?: string
  readonly type: 'problem' | 'change_request' | 'dependency' | 'other'
  readonly severity: StoryRating
  /** The key of a person. */
  readonly assignee?: string
  readonly due_on?: Day
  readonly tags?: readonly string[]
  readonly links?: readonly StoryLink[]
  readonly metadata?: Readonly<Record<string, string>>
  readonly close?: {
    readonly on: Day
    readonly reason: 'resolved' | 'workaround' | 'duplicate' | 'not_an_issue' | 'cancelled'
    readonly note: string
  }
  /** The status after its creation as open. */
  readonly moved?: {
    readonly on: Day
    readonly status: 'in_progress' | 'blocked'
    readonly blocked_reason?: string
  }
}

export interface StoryTask {
  /** The code of a project. */
  readonly project: string
  readonly on: Day
  readonly external_id?: string
  readonly title: string
  readonly description?: string
  /** The key of a person. */
  readonly assignee?: string
  readonly due_on?: Day
  /** The reference of the risk that it treats or of the issue that it helps to solve. */
  readonly about?: string
  readonly links?: readonly StoryLink[]
  /** The status after its creation as to do. */
  readonly moved?: {
    readonly on: Day
    readonly status: 'in_progress' | 'blocked' | 'done' | 'cancelled'
  }
}

/** A review of a risk. An omitted rating is unchanged. */
interface Review {
  readonly likelihood?: StoryRating
  readonly impact?: StoryRating
  readonly note: string
  readonly review_on: Day
}

interface Acceptance {
  /** The key of a person. */
  readonly by: string
  readonly expires_on: Day
  readonly rationale: string
}

type Closing<T extends { close?: object }> = Omit<NonNullable<T['close']>, 'on'>

/** A change of an existing risk. */
export type RiskEvent = { readonly on: Day; readonly risk: string } & (
  | { readonly reviewed: Review }
  | { readonly accepted: Acceptance }
  | { readonly occurred: string }
  | { readonly closed: Closing<StoryRisk> }
  | { readonly reopened: string }
)

/** A change of an existing issue or project. */
export type ProjectEvent = { readonly on: Day } & (
  | { readonly issue: string; readonly closed: Closing<StoryIssue> }
  | { readonly issue: string; readonly reopened: string }
  | { readonly issue: string; readonly due_on: Day }
  | { readonly project: string; readonly health: StoryHealth; readonly because: string }
  | { readonly project: string; readonly status: StoryProject['status'] }
)

interface Promotion {
  readonly title: string
  /** The key of the new manager. */
  readonly manager: string
}

/** A change of a person or a group. People are referenced by their keys. */
export type PersonnelEvent = { readonly on: Day } & (
  | { readonly person: string; readonly promoted: Promotion }
  | { readonly person: string; readonly suspended: string }
  | { readonly person: string; readonly resumed: string }
  | { readonly person: string; readonly leaves_on: Day }
  | { readonly person: string; readonly departed: string }
  | { readonly person: string; readonly relieved_by: string }
  | { readonly person: string; readonly rejoined: string }
  | { readonly person: string; readonly erased: true }
  | { readonly group: string; readonly joined: readonly string[] }
  | { readonly group: string; readonly archived: true }
)
