/** What lies over the text and beside it: the selection with its menu, one card, the bars of a phone, a panel. */

import { useCallback, useMemo, useState } from 'react'
import type { Selected, Viewer } from '../book/viewer'
import type { Card } from './cards'
import type { Tab } from './side'

export type Layers = ReturnType<typeof useLayers>

export function useLayers(first: Tab | null) {
  const [selected, setSelected] = useState<Selected | null>(null)
  const [menu, setMenu] = useState<'shown' | 'focused' | null>(null)
  const [card, setCard] = useState<Card | null>(null)
  const [bars, setBars] = useState(true)
  const [tab, setTab] = useState<Tab | null>(first)
  const select = useCallback((next: Selected | null) => {
    setSelected(next)
    setMenu(next ? 'shown' : null)
    if (next) setCard(null)
  }, [])
  const close = useCallback((viewer: Viewer | null) => {
    setCard(null)
    setMenu(null)
    viewer?.deselect()
  }, [])
  return useMemo(
    () => ({ selected, select, menu, setMenu, card, setCard, bars, setBars, tab, setTab, close }),
    [selected, select, menu, card, bars, tab, close],
  )
}

export function isPhone(): boolean {
  return matchMedia('(max-width: 639px)').matches
}
