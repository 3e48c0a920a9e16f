import { Loading } from '../ui/states'

export default function View() {
  return <Loading />
}
