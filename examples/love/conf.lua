function love.conf(t)
  t.window.title = "bitwall"
  t.window.width, t.window.height = 960, 540
end
