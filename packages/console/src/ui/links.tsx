import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'

interface Linked {
  readonly ref?: Ref<HTMLAnchorElement>
}

/** A link to another page of the console, as text. */
export const AnchorTo = createLink(({ ref, ...props }: AnchorProps & Linked) => (
  <Anchor ref={ref} {...props} />
))

/** A link to another page of the console, as a button. */
export const ButtonTo = createLink(({ ref, ...props }: ButtonProps & Linked) => (
  <Button component="a" ref={ref} {...props} />
))

interface ItemProps extends Pick<AnchorProps, 'size' | 'className' | 'inherit'> {
  readonly id: string
  readonly project_id: string
  readonly children: ReactNode
}

/** What leads to the page of a risk. */
export const RiskLink = ({ id, project_id, ...look }: ItemProps) => (
  <AnchorTo
    to="/projects/$project_id/risks/$risk_id"
    params={{ project_id, risk_id: id }}
    search={{}}
    {...look}
  />
)

/** What leads to the page of an issue. */
export const IssueLink = ({ id, project_id, ...look }: ItemProps) => (
  <AnchorTo
    to="/projects/$project_id/issues/$issue_id"
    params={{ project_id, issue_id: id }}
    search={{}}
    {...look}
  />
)
