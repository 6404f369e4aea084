import { readCsv } from './csv.ts'
import { answerInWorker } from './worker-scope.ts'

answerInWorker(readCsv)
