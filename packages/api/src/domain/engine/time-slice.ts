export { TimeSlice } from '#storage/values/time-slice'
