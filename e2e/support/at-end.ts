type Step = () => Promise<unknown>

const ofFile: Step[] = []
const ofProcess: Step[] = []

/** Runs a cleanup step when the test file ends, in reverse order of registration. */
export const atEndOfFile = (step: Step) => void ofFile.push(step)

/** Runs a cleanup step when the worker ends, which runs several test files. */
export const atEndOfProcess = (step: Step) => void ofProcess.push(step)

export const endFile = () => run(ofFile)
export const endProcess = () => run(ofProcess)

/** Runs every step even if an earlier one fails: an open handle would keep the process alive. */
async function run(steps: Step[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps.splice(0).toReversed()) {
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
