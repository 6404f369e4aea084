export { TimeSlice } from '#storage/engine/turn'
