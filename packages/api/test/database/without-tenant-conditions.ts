import {
  type BinaryOperationNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type OperationNode,
  type QueryId,
  RawNode,
} from 'kysely'

/**
 * Takes the condition on `workspace_id` out of every statement: what if someone forgot it
 * everywhere?
 */
class Forgetful extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    if (!isWorkspaceId(node.leftOperand)) return super.transformBinaryOperation(node)
    // The cast holds because the compiler takes any node where a condition stands.
    return RawNode.createWithSql('true') as unknown as BinaryOperationNode
  }

  /** The same in statements that are written out: `isOwn` of keyset.ts. */
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

export function forgetful(): KyselyPlugin {
  const transformer = new Forgetful()
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}
