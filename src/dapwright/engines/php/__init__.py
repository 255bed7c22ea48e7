"""PHP, by Xdebug's protocol DBGp: we listen, each PHP request that connects is a thread."""
