interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/**
 * Orders the members as in the contract. A strong ETag requires that every response with the same
 * version has the same bytes.
 */
export function inContractOrder({ properties, items }: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((each) => inContractOrder(items, each)) : value
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  const members = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name in members)
      .map(([name, schema]) => [name, inContractOrder(schema, members[name])]),
  )
}
