import { answerInWorker } from './worker-scope.ts'
import { readXlsx } from './xlsx.ts'

answerInWorker(readXlsx)
