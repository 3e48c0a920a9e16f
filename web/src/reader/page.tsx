import { Loading } from '../ui/states'

export default function View(_: { id: string }) {
  return <Loading />
}
