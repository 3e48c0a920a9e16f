import { chat } from './chat'
import { common } from './common'
import { map } from './map'
import { notes } from './notes'
import { palette } from './palette'
import { reader } from './reader'
import { search } from './search'
import { settings } from './settings'
import { shelf } from './shelf'

export const zh = { ...common, ...shelf, ...reader, ...notes, ...chat, ...search, ...map, ...palette, ...settings }
