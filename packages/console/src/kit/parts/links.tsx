import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink, type LinkProps } from '@tanstack/react-router'
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

/** A page above the present one. */
export interface Crumb extends Pick<LinkProps, 'to' | 'params'> {
  readonly text: string
}

export function CrumbLink({ text, ...link }: Crumb) {
  // The cast holds because the `params` of a crumb belong to its `to`.
  const props = { search: {}, ...link } as LinkProps
  return <AnchorLink {...props}>{text}</AnchorLink>
}

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
