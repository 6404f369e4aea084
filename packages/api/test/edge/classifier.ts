import { RequestClassifier } from '#http/edge/request-classifier'
import { RowSizes } from '#http/edge/row-sizes'
import { keyOperations } from '#test/support/operations'

/** A classifier that knows the operations of the contract. */
export function classifierOf(rowSizes = new RowSizes()): RequestClassifier {
  const classifier = new RequestClassifier(rowSizes)
  for (const { name, operation } of keyOperations()) {
    const { method, path, scope } = operation
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    classifier.add({ method, url, config: { operation: name, scope }, handler: () => {} })
  }
  return classifier
}
