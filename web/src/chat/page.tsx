import { Loading } from '../ui/states'

export default function View(_: { session: string | null }) {
  return <Loading />
}
