import { createContext, useContext } from 'react'

import { type ChangedFields, useMark } from '#data/marks.ts'

/** The id of the record of the page; null outside of one. */
export const RecordId = createContext<string | null>(null)

/** The fields of the record that someone else has just changed, or null. */
export const useRecordMark = (): ChangedFields | null => useMark(useContext(RecordId))
