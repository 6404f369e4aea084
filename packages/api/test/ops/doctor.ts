import { adminWith } from './admin.ts'

type Settings = Readonly<Record<string, string>>

/** What the operator sees, and the exit code. */
export interface Diagnosis {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The findings of a check, each as `state: found → next`. */
  readonly seen: (check: string) => string[]
}

/** Runs `npm run admin -- doctor` with these settings and no others, and reads its output. */
export async function doctor(settings: Settings, ...args: string[]): Promise<Diagnosis> {
  const { code, stdout, stderr } = await adminWith(settings, 'doctor', ...args)
  const found = stdout.replaceAll(/\n +→ /g, ' → ').split('\n')
  const seen = (check: string) =>
    found
      .map((line) => /^(\w+) +([\w-]+) +(.+)$/.exec(line))
      .filter((match) => match?.[2] === check)
      .map((match) => `${match?.[1]}: ${match?.[3]}`)
  return { code, stdout, stderr, seen }
}
