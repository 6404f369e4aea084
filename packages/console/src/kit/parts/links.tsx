import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'

import { issueAddress, riskAddress, taskAddress } from '#data/addresses.ts'
import { fromList } from '#data/order.ts'

interface LinkRef {
  readonly ref?: Ref<HTMLAnchorElement>
}

/** A text link to a page of the console. */
export const AnchorLink = createLink(({ ref, ...props }: AnchorProps & LinkRef) => (
  <Anchor ref={ref} dir="auto" {...props} />
))

/** A button that links to a page of the console. */
export const ButtonLink = createLink(({ ref, ...props }: ButtonProps & LinkRef) => (
  <Button component="a" ref={ref} {...props} />
))

interface ItemProps extends Pick<AnchorProps, 'size' | 'className' | 'inherit'> {
  readonly id: string
  readonly project_id: string
  readonly children: ReactNode
}

export const RiskLink = ({ id, project_id, ...rest }: ItemProps) => (
  <AnchorLink {...riskAddress({ id, project_id })} state={fromList} {...rest} />
)

export const IssueLink = ({ id, project_id, ...rest }: ItemProps) => (
  <AnchorLink {...issueAddress({ id, project_id })} state={fromList} {...rest} />
)

export const TaskLink = ({ id, project_id, ...rest }: ItemProps) => (
  <AnchorLink {...taskAddress({ id, project_id })} state={fromList} {...rest} />
)
