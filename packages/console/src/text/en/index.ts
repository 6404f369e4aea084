import { everywhere } from './everywhere.ts'
import { groups } from './groups.ts'
import { imports } from './import.ts'
import { issues } from './issues.ts'
import { keys } from './keys.ts'
import { people } from './people.ts'
import { projects } from './projects.ts'
import { risk } from './risk.ts'
import { risks } from './risks.ts'
import { start } from './start.ts'
import { tasks } from './tasks.ts'
import { workspace } from './workspace.ts'

/** English message catalogue. */
export const en = {
  ...everywhere,
  ...risks,
  ...risk,
  ...issues,
  ...projects,
  ...people,
  ...groups,
  ...keys,
  ...workspace,
  ...imports,
  ...start,
  ...tasks,
}
