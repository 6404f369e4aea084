import { access } from './access.ts'
import { account } from './account.ts'
import { activity } from './activity.ts'
import { changes } from './changes.ts'
import { charts } from './charts.ts'
import { everywhere } from './everywhere.ts'
import { frame } from './frame.ts'
import { groups } from './groups.ts'
import { imports } from './import.ts'
import { issues } from './issues.ts'
import { keys } from './keys.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { projects } from './projects.ts'
import { registry } from './registry.ts'
import { risk } from './risk.ts'
import { risks } from './risks.ts'
import { signIn } from './sign-in.ts'
import { start } from './start.ts'
import { tasks } from './tasks.ts'
import { words } from './words.ts'
import { work } from './work.ts'
import { workspace } from './workspace.ts'

/** English message catalogue. */
export const en = {
  ...words,
  ...changes,
  ...charts,
  ...everywhere,
  ...activity,
  ...registry,
  ...frame,
  ...access,
  ...account,
  ...risks,
  ...risk,
  ...issues,
  ...projects,
  ...people,
  ...groups,
  ...keys,
  ...workspace,
  ...imports,
  ...signIn,
  ...start,
  ...tasks,
  ...overview,
  ...work,
}
