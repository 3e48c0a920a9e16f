"""Everything durable, as SQL; the only place with SQL besides `index`."""
