import {
  type BinaryOperationNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type OperationNode,
  RawNode,
} from 'kysely'

/**
 * Takes the condition on `workspace_id` out of every statement: what if someone forgot it
 * everywhere?
 */
class Forgetful extends OperationNodeTransformer {
  forgotten = 0

  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    if (!isWorkspaceId(node.leftOperand)) return super.transformBinaryOperation(node)
    this.forgotten += 1
    // The cast holds because the compiler takes any node where a condition stands.
    return RawNode.createWithSql('true') as unknown as BinaryOperationNode
  }
}

function isWorkspaceId(node: OperationNode): boolean {
  return JSON.stringify(node).includes('"name":"workspace_id"')
}

export function forgetful() {
  const transformer = new Forgetful()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
  return { plugin, forgotten: () => transformer.forgotten }
}
