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

interface ItemProps extends Pick<AnchorProps, 'className'> {
  readonly item: { readonly id: string; readonly project_id: string; readonly title?: string }
  /** The text of the link; the title if it is left out. */
  readonly children?: ReactNode
}

export const RiskLink = ({ item, children = item.title, ...rest }: ItemProps) => (
  <AnchorLink {...riskAddress(item)} state={fromList} inherit {...rest}>
    {children}
  </AnchorLink>
)

export const IssueLink = ({ item, children = item.title, ...rest }: ItemProps) => (
  <AnchorLink {...issueAddress(item)} state={fromList} inherit {...rest}>
    {children}
  </AnchorLink>
)

export const TaskLink = ({ item, children = item.title, ...rest }: ItemProps) => (
  <AnchorLink {...taskAddress(item)} state={fromList} inherit {...rest}>
    {children}
  </AnchorLink>
)
