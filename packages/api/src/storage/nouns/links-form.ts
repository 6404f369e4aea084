interface EvidenceLink {
  readonly title: string
  readonly url: string
}

/** Restores the order of the members, which jsonb does not keep: a list must have stable bytes. */
export const linksForm = {
  columns: ['links'],
  present: ({ links }: { readonly links: readonly EvidenceLink[] }) =>
    links.map(({ title, url }) => ({ title, url })),
  store: (links: EvidenceLink[]) => ({ links }),
} as const
