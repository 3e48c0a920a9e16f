import { Loading } from '../ui/states'

export function Shelf() {
  return <Loading />
}
