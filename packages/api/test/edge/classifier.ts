import { RequestClassifier } from '#http/edge/request-classifier'
import { keyOperations } from '#test/support/operations'

/** A classifier that knows the operations of the contract. */
export function classifierOf(): RequestClassifier {
  const classifier = new RequestClassifier()
  for (const { name, operation } of keyOperations()) {
    const { method, path } = operation
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    classifier.add({ method, url, config: { operation: name }, handler: () => {} })
  }
  return classifier
}
