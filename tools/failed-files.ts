interface TestEvent {
  readonly type: string
  readonly data: { readonly file?: string }
}

/**
 * A reporter that says nothing but which files have a test that failed, a line for each test. Node
 * takes a reporter as the default export.
 */
export default async function* failedFiles(events: AsyncIterable<TestEvent>) {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.file) yield `${data.file}\n`
  }
}
