import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queries'
import { App } from './app'
import { speak } from './i18n'
import { follow } from './preferences'
import { ahead } from './views'
import './styles/app.css'

follow()
ahead(location.pathname)
await speak()
const host = document.getElementById('app')
if (!host) throw new Error('the page has no #app')
createRoot(host).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
