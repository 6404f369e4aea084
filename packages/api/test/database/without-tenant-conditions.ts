import {
  type BinaryOperationNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type OperationNode,
  type QueryId,
  RawNode,
} from 'kysely'

/** Removes the tenant condition from every statement, to test row level security alone. */
class TenantConditionRemover extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    if (!isWorkspaceId(node.leftOperand)) return super.transformBinaryOperation(node)
    // The cast holds because the compiler accepts any node in place of a condition.
    return RawNode.createWithSql('true') as unknown as BinaryOperationNode
  }

  /** The same for raw SQL: `isOwn` of keyset.ts. */
  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const [first] = node.parameters
    const isEquation = node.sqlFragments.join('?') === '? = ?'
    if (!isEquation || !first || !isWorkspaceId(first)) return super.transformRaw(node, queryId)
    return RawNode.createWithSql('true')
  }
}

function isWorkspaceId(node: OperationNode): boolean {
  return JSON.stringify(node).includes('"name":"workspace_id"')
}

export function removeTenantConditions(): KyselyPlugin {
  const transformer = new TenantConditionRemover()
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}
